export const timeAccountRules = '502601e885c11ca1';
