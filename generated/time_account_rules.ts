export const timeAccountRules = '4814c26c683e4712';
