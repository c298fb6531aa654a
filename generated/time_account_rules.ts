export const timeAccountRules = '4a0cff7edcc56998';
