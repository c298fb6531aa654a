/** An object of the named members, without those that are undefined. */
export const pick = <T extends object, Name extends keyof T>(source: T, names: readonly Name[]): Pick<T, Name> =>
  Object.fromEntries(names.filter((name) => source[name] !== undefined).map((name) => [name, source[name]])) as Pick<
    T,
    Name
  >;
