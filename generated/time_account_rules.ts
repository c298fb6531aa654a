export const timeAccountRules = 'd2c2578774f54926';
