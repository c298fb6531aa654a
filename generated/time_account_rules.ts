export const timeAccountRules = '60bf115f89788ff3';
