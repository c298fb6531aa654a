export const timeAccountRules = '62bdf809b8189126';
