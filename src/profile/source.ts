/** Where a value comes from; `name` is what the user would look for (`--base-url`, a path). */
export interface Source {
  kind: 'flag' | 'environment' | 'user' | 'project' | 'sandbox'
  name: string
}

export interface Sourced<Value> {
  value: Value
  source: Source
}

/** The options that specify the service. */
export interface ConnectionOptions {
  profile?: string | undefined
  baseUrl?: string | undefined
  apiKeyFile?: string | undefined
  allowHttp?: boolean | undefined
}
