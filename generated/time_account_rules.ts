export const timeAccountRules = 'b78fa8979c3c953a';
