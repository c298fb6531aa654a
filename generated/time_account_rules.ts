export const timeAccountRules = '080ae1b8838117e6';
