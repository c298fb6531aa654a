export const timeAccountRules = '55ecff87e407566b';
