export const timeAccountRules = '6cb12505dd91d9e0';
