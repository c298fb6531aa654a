export const timeAccountRules = '9a89d36978925797';
