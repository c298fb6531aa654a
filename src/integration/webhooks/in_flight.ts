/**
 * How many deliveries a process sends at once: in all, to one account, and to one webhook. A slow receiver delays its own only.
 * Look-ups of names have the same bounds.
 */
export const maxInFlight = { total: 64, perAccount: 8, perWebhook: 4 };
