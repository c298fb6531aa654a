export const timeAccountRules = 'ee78e3fc91e614f9';
