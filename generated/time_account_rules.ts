export const timeAccountRules = 'c3293a1db4645f99';
