import { v3 } from '../http/v3.ts';
import { switchRole } from './assumed_roles.ts';

export const assumedRoleHandlers = v3.part({
  async switchRole({ db, actor, now }) {
    await switchRole(db, actor, now);
    return { headers: { 'Cache-Control': 'no-store' } };
  },
});
