export const timeAccountRules = '68cc029fa11fae03';
