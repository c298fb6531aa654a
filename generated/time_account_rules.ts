export const timeAccountRules = '26cc28ce9e53532f';
