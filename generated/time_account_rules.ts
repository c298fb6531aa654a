export const timeAccountRules = 'ededb6804fb41a58';
