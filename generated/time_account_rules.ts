export const timeAccountRules = 'd11449f3e44acb05';
