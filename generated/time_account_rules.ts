export const timeAccountRules = 'af1337ad4e3793a5';
