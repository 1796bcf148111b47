import { daysAgo, feature, type FlagSeed, type Projects } from '../flags/service.ts'
import type { World } from '../support/flagadm.ts'

/** Reviews all flags of a service with these projects, which is called `http://service`. @returns the page */
export async function reviewPage(
  projects: Projects,
  argv: readonly string[] = [],
  world: World = {},
): Promise<string> {
  const words = ['review', '--all-projects', '--not-seen-for', '7d', '-o', 'html', ...argv]
  return (await feature(words, projects, world)).stdout
}

/** Usage in each of the last 48 hours that repeats every day, without randomness. */
function daily(most: number, seed: number) {
  return Array.from({ length: 48 }, (_, hour) => {
    const wave = 1 + Math.sin(((hour + seed) * Math.PI) / 12)
    const yes = Math.round((most * wave * (1 + ((hour * 7 + seed * 13) % 5) / 10)) / 3)
    return { hoursAgo: 47 - hour, yes, no: 0 }
  })
}

const words = ['basket', 'search', 'banner', 'checkout', 'invoice', 'profile', 'delivery', 'coupon']
const types = ['release', 'experiment', 'operational', 'release', 'kill-switch']

/** Projects with this number of flags with all kinds of verdicts. */
export function manyProjects(count: number, projectCount: number): Projects {
  const projects: Record<string, Record<string, FlagSeed>> = {}
  for (let index = 0; index < count; index++) {
    const id = `team-${String.fromCharCode(97 + (index % projectCount))}`
    const name = `${words[index % 8]}-${words[(index * 3 + 1) % 8]}-${index}`
    const used = { on: true, seen: 0.02 }
    const kinds: FlagSeed[] = [
      { stale: index % 3 === 0 },
      { production: used, development: used, usage: daily((index * 37) % 5000, index) },
      { development: { on: true, seen: 3.75 }, createdAt: daysAgo((index * 7) % 600) },
      { production: { on: index % 2 === 1, seen: 30 } },
    ]
    projects[id] = {
      ...projects[id],
      [name]: { type: types[index % 5], ...kinds[(index >> 1) % 4] },
    }
  }
  return projects
}
