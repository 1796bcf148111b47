import type { Seed, SeedFlag, SeedRow, SeedUnknownFlag } from './seed.ts'

const projects: Seed['projects'] = [
  { id: 'default', name: 'Shop', mode: 'open' },
  {
    id: 'checkout',
    name: 'Checkout',
    mode: 'protected',
    featureNaming: {
      pattern: 'checkout-[a-z0-9]+(-[a-z0-9]+)*',
      example: 'checkout-express-pay',
      description: 'Names start with the team.\nThen say what the flag is about, in lower case.',
    },
    linkTemplates: [
      { title: 'Issue', urlTemplate: 'https://tracker.example/search?q={{feature}}' },
      { urlTemplate: 'https://wiki.example/{{project}}/{{feature}}' },
    ],
  },
  { id: 'mobile', name: 'Mobile apps', mode: 'private' },
]

type HourCounts = [yes: number, no: number, variants?: Record<string, number>]

/** The usage of an application in the current hour, by environment. */
function used(appName: string, counts: Record<string, HourCounts>): SeedRow[] {
  const entries = Object.entries(counts)
  return entries.map(([environment, [yes, no, variants = {}]]) => {
    return { appName, environment, yes, no, variants }
  })
}

type ProjectFlag = Omit<SeedFlag, 'project'>

const checkout: ProjectFlag[] = [
  {
    name: 'checkout-new-basket',
    type: 'experiment',
    createdAt: '2025-11-17T09:12:00.000Z',
    usage: [
      ...used('web-shop', {
        production: [184_210, 61_403, { control: 92_140, compact: 92_070 }],
        staging: [1_284, 0, { control: 649, compact: 635 }],
        development: [96, 12, { control: 50, compact: 46 }],
      }),
      ...used('mobile-ios', { production: [52_876, 17_641, { control: 26_430, compact: 26_446 }] }),
    ],
  },
  {
    name: 'checkout-express-pay',
    usage: [
      ...used('web-shop', { production: [23_018, 207_164], staging: [1_120, 0] }),
      ...used('payment-gateway', { production: [22_984, 206_871], staging: [1_118, 0] }),
    ],
  },
  {
    name: 'checkout-address-lookup',
    type: 'permission',
    usage: used('web-shop', { production: [41_730, 0], development: [64, 0] }),
  },
  {
    name: 'checkout-gift-cards',
    createdAt: '2025-12-18T14:30:00.000Z',
    dependencies: [{ feature: 'checkout-express-pay' }],
    // Ready for production, but not switched on there.
    environments: [
      { name: 'development' },
      {
        name: 'production',
        strategies: [{ name: 'flexibleRollout', parameters: { rollout: '25' }, segments: [1] }],
      },
      { name: 'staging' },
    ],
    usage: used('web-shop', { staging: [57, 1_031], development: [88, 0] }),
  },
  {
    name: 'checkout-coupon-banner',
    // Replaced by gift cards: stopped 30 hours ago.
    createdAt: '2024-09-02T07:45:00.000Z',
    usage: Array.from({ length: 18 }, (_, index) => {
      const yes = 264 * (index + 1)
      return { appName: 'web-shop', environment: 'production', hoursAgo: 30 + index, yes, no: 0 }
    }),
  },
  { name: 'checkout-one-page', createdAt: '2024-03-11T08:30:00.000Z', archived: true },
]

const shop: ProjectFlag[] = [
  {
    name: 'search-autocomplete',
    type: 'experiment',
    usage: [
      ...used('web-shop', { production: [312_904, 104_286, { fuzzy: 156_511, prefix: 156_393 }] }),
      ...used('search-api', { production: [148_377, 49_420], staging: [2_206, 731] }),
    ],
  },
  {
    name: 'dark-mode',
    usage: [
      ...used('web-shop', { production: [96_415, 149_230] }),
      ...used('mobile-ios', { production: [44_062, 26_455] }),
      ...used('mobile-android', { production: [58_190, 37_271] }),
    ],
  },
  {
    name: 'maintenance-banner',
    type: 'kill-switch',
    createdAt: '2023-02-20T10:00:00.000Z',
    usage: used('web-shop', { production: [0, 245_613], staging: [0, 1_284] }),
  },
  {
    name: 'legacy-invoice-export',
    type: 'operational',
    stale: true,
    createdAt: '2023-05-08T11:20:00Z',
    createdBy: 'grace@shop.example',
  },
  {
    name: 'billing-statements',
    // A job that runs once a month.
    createdAt: '2024-11-04T13:05:00.000Z',
    usage: [10, 41, 71].map((daysAgo) => {
      return { appName: 'billing', environment: 'production', daysAgo, yes: 36_000, no: 0 }
    }),
  },
]

const mobile: ProjectFlag[] = [
  {
    name: 'mobile-biometric-login',
    usage: used('mobile-ios', { production: [31_244, 3_472], development: [41, 5] }),
  },
  { name: 'mobile-offline-cart', usage: used('mobile-android', { development: [23, 19] }) },
  // Finished: always on, always one variant, and never launched.
  {
    name: 'mobile-new-navigation',
    createdAt: '2025-04-07T09:00:00.000Z',
    createdBy: 'ada@shop.example',
    usage: [
      ...used('mobile-ios', { production: [61_220, 0], development: [35, 0] }),
      ...used('mobile-android', { production: [74_915, 0] }),
    ],
  },
  {
    name: 'mobile-onboarding',
    type: 'experiment',
    createdAt: '2025-05-19T15:20:00.000Z',
    createdBy: 'grace@shop.example',
    usage: used('mobile-ios', { production: [8412, 0, { short: 8412 }] }),
  },
  {
    name: 'mobile-widget',
    createdAt: '2025-01-13T08:05:00.000Z',
    createdBy: 'ada@shop.example',
    usage: used('mobile-android', { production: [0, 12_480], staging: [0, 96] }),
  },
]

/** The flags of these projects, with hourly counts from tens to hundreds of thousands. */
const flags = Object.entries({ checkout, default: shop, mobile }).flatMap(
  ([project, projectFlags]) => projectFlags.map((flag) => ({ ...flag, project })),
)

/** A misspelt name that SDKs evaluate. */
const unknownFlags: SeedUnknownFlag[] = ['payment-gateway', 'web-shop'].map((appName) => {
  return { name: 'checkout-expres-pay', appName, environment: 'production' }
})

const segments: Seed['segments'] = [{ id: 1, name: 'beta-testers' }]

function rollout(percentage: number) {
  const parameters = { rollout: `${percentage}`, stickiness: 'default' }
  return { name: 'flexibleRollout', parameters, constraints: [], segments: [] }
}

const pay = { project: 'checkout', featureName: 'checkout-express-pay', environment: 'production' }

const events: Seed['events'] = [
  {
    minutesAgo: 12,
    type: 'feature-strategy-update',
    createdBy: 'ada@shop.example',
    ...pay,
    preData: rollout(10),
    data: rollout(100),
  },
  { minutesAgo: 26, type: 'feature-environment-enabled', createdBy: 'ada@shop.example', ...pay },
  {
    minutesAgo: 2 * 24 * 60,
    type: 'feature-strategy-add',
    createdBy: 'deploy-bot',
    project: 'default',
    featureName: 'dark-mode',
    environment: 'staging',
    data: rollout(50),
  },
  {
    minutesAgo: 3 * 24 * 60,
    type: 'project-updated',
    createdBy: 'grace@shop.example',
    project: 'checkout',
    preData: { mode: 'open' },
    data: { mode: 'protected' },
  },
]

export const defaultSeed: Seed = { projects, flags, segments, events, unknownFlags }
