export const timeAccountRules = '1ab90eba25f2bf32';
