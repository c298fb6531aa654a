import type { components } from '../../../generated/v3.ts';
import { may, type WorkspaceActor } from '../../platform/core/permissions.ts';

type Attributes = components['schemas']['Feature']['attributes'];

export interface Feature extends Attributes {
  readonly id: string;
}

/** The rights of the actor in their workspace, by part of the service. */
export function featuresOf(actor: WorkspaceActor): Feature[] {
  const { workspace } = actor;
  const mayAdminister = may(actor, 'see_admin_features', 'workspace', workspace);
  return [
    feature('Absence', '5d0b6f0e-6a3c-4f57-9d0a-3f1f6a2f8c01', { read_index: true, create_absences: true }),
    feature('TimeTracking', '5d0b6f0e-6a3c-4f57-9d0a-3f1f6a2f8c02', {
      read_index: true,
      create_time_tracking: true,
      use_browser_punch_clock: true,
    }),
    feature('Profile', '5d0b6f0e-6a3c-4f57-9d0a-3f1f6a2f8c03', { free_subscription: false }),
    feature('General', '5d0b6f0e-6a3c-4f57-9d0a-3f1f6a2f8c04', { show_system_notes: true }),
    feature('Analytic', '5d0b6f0e-6a3c-4f57-9d0a-3f1f6a2f8c05', { allow_segment: false }),
    feature('Calendar', '5d0b6f0e-6a3c-4f57-9d0a-3f1f6a2f8c06', { read_index: true }),
    ...(mayAdminister ? adminFeatures(actor) : []),
  ];
}

const adminFeatures = (actor: WorkspaceActor): Feature[] => [
  feature('WorkspaceUser', '5d0b6f0e-6a3c-4f57-9d0a-3f1f6a2f8c07', {
    read_index: true,
    create_workspace_users: may(actor, 'create_user', 'workspace', actor.workspace),
  }),
  feature('Export', '5d0b6f0e-6a3c-4f57-9d0a-3f1f6a2f8c08', { read_index: true, create_export: true }),
  feature('Evaluation', '5d0b6f0e-6a3c-4f57-9d0a-3f1f6a2f8c09', {
    update: may(actor, 'change_time_accounts', 'workspace', actor.workspace),
  }),
  feature('Workflow', '5d0b6f0e-6a3c-4f57-9d0a-3f1f6a2f8c0a', {
    update: may(actor, 'update', 'workspace', actor.workspace),
  }),
];

const feature = (hint: Attributes['hint'], id: string, permissions: Attributes['permissions']): Feature => ({
  id,
  hint,
  permissions,
});
