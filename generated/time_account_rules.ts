export const timeAccountRules = '4277e445bccbba73';
