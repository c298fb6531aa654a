export const timeAccountRules = '7e44d81dc35a16d4';
