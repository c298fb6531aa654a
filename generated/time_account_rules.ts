export const timeAccountRules = 'dfdc90844489144e';
