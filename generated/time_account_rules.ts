export const timeAccountRules = '2a51651ca1b6b0db';
