export const timeAccountRules = '5625dcc910cd9f1b';
