export const timeAccountRules = 'a7ecb90d34a03356';
