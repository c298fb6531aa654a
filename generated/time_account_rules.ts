export const timeAccountRules = '740840090a045a97';
