export const timeAccountRules = 'e3b18f6c908ba465';
