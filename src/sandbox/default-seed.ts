import type { Seed, SeedFlag, SeedUnknownFlag } from './seed.ts'

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

/** Usage of an application in production that declined and stopped at `hoursAgo`. */
function stopped(appName: string, hoursAgo: number, yes: number): SeedFlag['usage'] {
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
      {
        appName: 'web-shop',
        environment: 'production',
        yes: 184_210,
        no: 61_403,
        variants: { control: 61_404, compact: 61_395, 'one-page': 61_411 },
      },
      {
        appName: 'web-shop',
        environment: 'staging',
        yes: 1_284,
        no: 0,
        variants: { control: 431, compact: 425, 'one-page': 428 },
      },
      {
        appName: 'web-shop',
        environment: 'development',
        yes: 96,
        no: 12,
        variants: { control: 30, compact: 34, 'one-page': 32 },
      },
      {
        appName: 'mobile-ios',
        environment: 'production',
        yes: 52_876,
        no: 17_641,
        variants: { control: 26_430, compact: 26_446 },
      },
      {
        appName: 'mobile-ios',
        environment: 'staging',
        yes: 310,
        no: 18,
        variants: { control: 152, compact: 158 },
      },
      {
        appName: 'mobile-android',
        environment: 'production',
        yes: 71_559,
        no: 23_902,
        variants: { control: 35_802, compact: 35_757 },
      },
      {
        appName: 'mobile-android',
        environment: 'staging',
        yes: 402,
        no: 27,
        variants: { control: 199, compact: 203 },
      },
      {
        appName: 'order-service',
        environment: 'production',
        yes: 9_347,
        no: 3_120,
        variants: { control: 3_118, compact: 3_102, 'one-page': 3_127 },
      },
    ],
    seenApplications: ['mobile-android', 'mobile-ios', 'order-service', 'web-shop'],
  },
  {
    name: 'checkout-express-pay',
    project: 'checkout',
    usage: [
      { appName: 'web-shop', environment: 'production', yes: 23_018, no: 207_164 },
      { appName: 'web-shop', environment: 'staging', yes: 1_120, no: 0 },
      { appName: 'payment-gateway', environment: 'production', yes: 22_984, no: 206_871 },
      { appName: 'payment-gateway', environment: 'staging', yes: 1_118, no: 0 },
    ],
    seenApplications: ['payment-gateway', 'web-shop'],
  },
  {
    name: 'checkout-address-lookup',
    project: 'checkout',
    type: 'permission',
    usage: [
      { appName: 'web-shop', environment: 'production', yes: 41_730, no: 0 },
      { appName: 'order-service', environment: 'production', yes: 41_698, no: 0 },
      { appName: 'order-service', environment: 'development', yes: 64, no: 0 },
    ],
    seenApplications: ['order-service', 'web-shop'],
  },
  {
    name: 'checkout-gift-cards',
    project: 'checkout',
    createdAt: '2025-12-18T14:30:00.000Z',
    usage: [
      { appName: 'web-shop', environment: 'staging', yes: 57, no: 1_031 },
      { appName: 'web-shop', environment: 'development', yes: 88, no: 0 },
    ],
    seenApplications: ['web-shop'],
  },
  {
    name: 'checkout-coupon-banner',
    project: 'checkout',
    description: 'Replaced by gift cards: stopped 30 hours ago',
    createdAt: '2024-09-02T07:45:00.000Z',
    usage: [...stopped('web-shop', 30, 4_812), ...stopped('mobile-ios', 32, 1_207)],
    seenApplications: [],
  },
  {
    name: 'search-autocomplete',
    project: 'default',
    type: 'experiment',
    usage: [
      {
        appName: 'web-shop',
        environment: 'production',
        yes: 312_904,
        no: 104_286,
        variants: { fuzzy: 156_511, prefix: 156_393 },
      },
      { appName: 'search-api', environment: 'production', yes: 148_377, no: 49_420 },
      { appName: 'search-api', environment: 'staging', yes: 2_206, no: 731 },
    ],
    seenApplications: ['search-api', 'web-shop'],
  },
  {
    name: 'dark-mode',
    project: 'default',
    usage: [
      { appName: 'web-shop', environment: 'production', yes: 96_415, no: 149_230 },
      { appName: 'mobile-ios', environment: 'production', yes: 44_062, no: 26_455 },
      { appName: 'mobile-android', environment: 'production', yes: 58_190, no: 37_271 },
    ],
    seenApplications: ['mobile-android', 'mobile-ios', 'web-shop'],
  },
  {
    name: 'maintenance-banner',
    project: 'default',
    type: 'kill-switch',
    createdAt: '2023-02-20T10:00:00.000Z',
    usage: [
      { appName: 'web-shop', environment: 'production', yes: 0, no: 245_613 },
      { appName: 'web-shop', environment: 'staging', yes: 0, no: 1_284 },
    ],
    seenApplications: ['back-office', 'web-shop'],
  },
  {
    name: 'legacy-invoice-export',
    project: 'default',
    type: 'operational',
    stale: true,
    createdAt: '2023-05-08T11:20:00.000Z',
    usage: [],
    seenApplications: [],
  },
  {
    name: 'mobile-biometric-login',
    project: 'mobile',
    usage: [
      { appName: 'mobile-ios', environment: 'production', yes: 31_244, no: 3_472 },
      { appName: 'mobile-ios', environment: 'development', yes: 41, no: 5 },
      { appName: 'mobile-android', environment: 'production', yes: 20_117, no: 20_098 },
    ],
    seenApplications: ['mobile-android', 'mobile-ios'],
  },
  {
    name: 'mobile-offline-cart',
    project: 'mobile',
    usage: [{ appName: 'mobile-android', environment: 'development', yes: 23, no: 19 }],
    seenApplications: ['mobile-android'],
  },
]

/** A misspelt name that SDKs evaluate. */
const unknownFlags: SeedUnknownFlag[] = [
  { name: 'checkout-expres-pay', appName: 'payment-gateway', environment: 'production' },
  { name: 'checkout-expres-pay', appName: 'web-shop', environment: 'production' },
  { name: 'checkout-expres-pay', appName: 'web-shop', environment: 'staging' },
]

/** What a sandbox serves without a seed file. */
export const defaultSeed: Seed = { projects, flags, unknownFlags }
