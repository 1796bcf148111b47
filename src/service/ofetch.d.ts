// The part of ofetch that flagadm uses. With its own types, headers and responses would be the classes of the global fetch,
// which load undici.
declare module 'ofetch' {
  interface Init {
    method: string
    headers: ReadonlyMap<string, string>
    body: string | null
    signal: AbortSignal
  }

  export type Fetch<Answer> = (url: string, init: Init) => Promise<Answer>

  export function createFetch<Answer>(options: {
    fetch: Fetch<Answer>
    Headers: MapConstructor
    defaults: {
      headers: readonly (readonly [name: string, value: string])[]
      ignoreResponseError: true
      retry: 0
    }
  }): { raw: Fetch<Answer> }
}
