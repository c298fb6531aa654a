/** Where an S3-compatible object store is, and how it is reached. */
export interface ObjectStoreAddress {
  /** The setting that names it, for messages. */
  readonly setting: string;
  readonly bucket: string;
  /** The first part of the keys of all objects, without slashes at its ends. May be empty. */
  readonly prefix: string;
  readonly region: string;
  /** Undefined for AWS, where the region decides. */
  readonly endpoint: string | undefined;
  /** Whether the bucket is in the path of an address and not in its host name. */
  readonly hasPathStyle: boolean;
  /** Undefined where the machine has an identity of its own, such as a role on AWS. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined;
}

const form = 's3://BUCKET[/PREFIX][?region=…&endpoint=https://…&path_style=on|off]';
const parameters = ['region', 'endpoint', 'path_style'];

/** Reads the address of an object store. Throws with the setting, its value and what is allowed. */
export function objectStoreAddress(
  setting: string,
  value: string,
  credentials: ObjectStoreAddress['credentials'],
): ObjectStoreAddress {
  const wrong = (problem: string): Error => new Error(`${setting} must be ${form}, but was "${value}": ${problem}.`);
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url?.protocol !== 's3:') throw wrong('it does not begin with s3://');
  // The value would be in messages and in the list of processes.
  if (url.username || url.password)
    throw new Error(
      `${setting} must not contain credentials. Set FILES_ACCESS_KEY_ID and FILES_SECRET_ACCESS_KEY instead.`,
    );
  const bucket = url.hostname;
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket))
    throw wrong(`the bucket "${bucket}" must have 3 to 63 lower-case letters, digits, dots and hyphens`);
  const prefix = decodeURIComponent(url.pathname).replace(/^\/+|\/+$/g, '');
  if (!/^[\w!.*'()/-]{0,200}$/.test(prefix))
    throw wrong(`the prefix "${prefix}" must have at most 200 letters, digits, slashes and ! - _ . * ' ( )`);
  for (const name of url.searchParams.keys())
    if (!parameters.includes(name)) throw wrong(`"${name}" is none of ${parameters.join(', ')}`);
  const endpoint = url.searchParams.get('endpoint') ?? undefined;
  if (endpoint !== undefined && !/^https?:$/.test(URL.canParse(endpoint) ? new URL(endpoint).protocol : ''))
    throw wrong(`the endpoint "${endpoint}" must be an http or https address`);
  const pathStyle = url.searchParams.get('path_style') ?? (endpoint === undefined ? 'off' : 'on');
  if (pathStyle !== 'on' && pathStyle !== 'off') throw wrong(`path_style must be on or off, and is "${pathStyle}"`);
  return {
    setting,
    bucket,
    prefix,
    region: url.searchParams.get('region') ?? 'us-east-1',
    endpoint,
    hasPathStyle: pathStyle === 'on',
    credentials,
  };
}
