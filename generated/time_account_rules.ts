export const timeAccountRules = '6720bee72a3344a4';
