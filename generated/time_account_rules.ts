export const timeAccountRules = '27b6a349f77c6586';
