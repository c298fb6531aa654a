export const timeAccountRules = '9225774fe595fa61';
