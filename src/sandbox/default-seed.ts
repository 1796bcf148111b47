import type { Seed, SeedRow, SeedUnknownFlag } from './seed.ts'

const checkoutRule = {
  pattern: 'checkout-[a-z0-9]+(-[a-z0-9]+)*',
  example: 'checkout-express-pay',
  description: 'Names start with the team.\nThen say what the flag is about, in lower case.',
}

/** The projects of an online shop. */
const projects: Seed['projects'] = [
  { id: 'default', name: 'Shop', description: 'Flags without a team', mode: 'open' },
  {
    id: 'checkout',
    name: 'Checkout',
    description: 'From the basket to the receipt',
    mode: 'protected',
    featureNaming: checkoutRule,
    linkTemplates: [
      { title: 'Issue', urlTemplate: 'https://tracker.example/search?q={{feature}}' },
      { urlTemplate: 'https://wiki.example/{{project}}/{{feature}}' },
    ],
  },
  { id: 'mobile', name: 'Mobile apps', mode: 'private' },
]

const lastHour = 47

/** The counts of an application in the current hour. */
function row(
  appName: string,
  environment: string,
  yes: number,
  no: number,
  variants: Record<string, number> = {},
): SeedRow {
  return { appName, environment, yes, no, variants }
}

/** Usage of an application in production that declined and stopped at `hoursAgo`. */
function stopped(appName: string, hoursAgo: number, yes: number): SeedRow[] {
  const length = lastHour - hoursAgo + 1
  return Array.from({ length }, (_, index) => {
    const count = Math.ceil((yes * (index + 1)) / length)
    return { appName, environment: 'production', hoursAgo: hoursAgo + index, yes: count, no: 0 }
  })
}

/** The flags of these projects, with hourly counts from tens to hundreds of thousands. */
const flags: Seed['flags'] = [
  {
    name: 'checkout-new-basket',
    project: 'checkout',
    type: 'experiment',
    description: 'Three layouts of the basket',
    createdAt: '2025-11-17T09:12:00.000Z',
    usage: [
      row('web-shop', 'production', 184_210, 61_403, {
        control: 61_404,
        compact: 61_395,
        'one-page': 61_411,
      }),
      row('web-shop', 'staging', 1_284, 0, { control: 431, compact: 425, 'one-page': 428 }),
      row('web-shop', 'development', 96, 12, { control: 30, compact: 34, 'one-page': 32 }),
      row('mobile-ios', 'production', 52_876, 17_641, { control: 26_430, compact: 26_446 }),
      row('mobile-ios', 'staging', 310, 18, { control: 152, compact: 158 }),
      row('mobile-android', 'production', 71_559, 23_902, { control: 35_802, compact: 35_757 }),
      row('mobile-android', 'staging', 402, 27, { control: 199, compact: 203 }),
      row('order-service', 'production', 9_347, 3_120, {
        control: 3_118,
        compact: 3_102,
        'one-page': 3_127,
      }),
    ],
  },
  {
    name: 'checkout-express-pay',
    project: 'checkout',
    usage: [
      row('web-shop', 'production', 23_018, 207_164),
      row('web-shop', 'staging', 1_120, 0),
      row('payment-gateway', 'production', 22_984, 206_871),
      row('payment-gateway', 'staging', 1_118, 0),
    ],
  },
  {
    name: 'checkout-address-lookup',
    project: 'checkout',
    type: 'permission',
    usage: [
      row('web-shop', 'production', 41_730, 0),
      row('order-service', 'production', 41_698, 0),
      row('order-service', 'development', 64, 0),
    ],
  },
  {
    name: 'checkout-gift-cards',
    project: 'checkout',
    createdAt: '2025-12-18T14:30:00.000Z',
    dependencies: [{ feature: 'checkout-express-pay' }],
    usage: [row('web-shop', 'staging', 57, 1_031), row('web-shop', 'development', 88, 0)],
  },
  {
    name: 'checkout-coupon-banner',
    project: 'checkout',
    description: 'Replaced by gift cards: stopped 30 hours ago',
    createdAt: '2024-09-02T07:45:00.000Z',
    usage: [...stopped('web-shop', 30, 4_812), ...stopped('mobile-ios', 32, 1_207)],
  },
  {
    name: 'checkout-one-page',
    project: 'checkout',
    createdAt: '2024-03-11T08:30:00.000Z',
    archived: true,
  },
  {
    name: 'search-autocomplete',
    project: 'default',
    type: 'experiment',
    usage: [
      row('web-shop', 'production', 312_904, 104_286, { fuzzy: 156_511, prefix: 156_393 }),
      row('search-api', 'production', 148_377, 49_420),
      row('search-api', 'staging', 2_206, 731),
    ],
  },
  {
    name: 'dark-mode',
    project: 'default',
    usage: [
      row('web-shop', 'production', 96_415, 149_230),
      row('mobile-ios', 'production', 44_062, 26_455),
      row('mobile-android', 'production', 58_190, 37_271),
    ],
  },
  {
    name: 'maintenance-banner',
    project: 'default',
    type: 'kill-switch',
    createdAt: '2023-02-20T10:00:00.000Z',
    usage: [row('web-shop', 'production', 0, 245_613), row('web-shop', 'staging', 0, 1_284)],
    seenApplications: ['back-office', 'web-shop'],
  },
  {
    name: 'legacy-invoice-export',
    project: 'default',
    type: 'operational',
    stale: true,
    createdAt: '2023-05-08T11:20:00.000Z',
  },
  {
    name: 'mobile-biometric-login',
    project: 'mobile',
    usage: [
      row('mobile-ios', 'production', 31_244, 3_472),
      row('mobile-ios', 'development', 41, 5),
      row('mobile-android', 'production', 20_117, 20_098),
    ],
  },
  {
    name: 'mobile-offline-cart',
    project: 'mobile',
    usage: [row('mobile-android', 'development', 23, 19)],
  },
]

/** A misspelt name that SDKs evaluate. */
const unknownFlags: SeedUnknownFlag[] = [
  { name: 'checkout-expres-pay', appName: 'payment-gateway', environment: 'production' },
  { name: 'checkout-expres-pay', appName: 'web-shop', environment: 'production' },
  { name: 'checkout-expres-pay', appName: 'web-shop', environment: 'staging' },
]

/** The data of a sandbox without a seed file. */
export const defaultSeed: Seed = { projects, flags, unknownFlags }
