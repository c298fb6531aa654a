/** The one whose data are copied or anonymised. */
export interface Person {
  readonly accountId: number;
  readonly userId: number;
}
