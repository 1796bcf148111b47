import { expect, it } from 'vitest'
import { namesIn } from '../../support/scan.ts'
import { table } from '../../support/text.ts'

it.each([
  ...table(`
    a.vue | <p :class="{ a: isEnabled('x') }">{{ isEnabled("y") ? 1 : 2 }}</p> | xy
    a.svelte | {#if isEnabled('x')}A{:else if isEnabled('y')}B{/if} | xy
    a.html | <!-- isEnabled("z") --><script>isEnabled("x")</script><p *ngIf="isEnabled('y')"> | xy
    a.ejs | <% if (isEnabled("x")) { %><a class="<%= isEnabled('y') ? 1 : 2 %>"> | xy
    a.erb | <% if UNLEASH.enabled? "x" %><a class="<%= UNLEASH.enabled?(:y) %>"> | xy
    a.blade.php | @if($unleash->isEnabled('x')) <a class="{{ $unleash->isEnabled('y') }}"> | xy
    a.php | <p><?php if ($unleash->isEnabled('x')): ?>a<?= $unleash->isEnabled('y') ?></p> | xy
    a.twig | {% if feature_is_enabled('x') %}{{ feature_variant('y').name }}{# isEnabled('z') #} | xy
    a.cshtml | @if (unleash.IsEnabled("x")) { <p>@unleash.GetVariant("y").Name</p> } | xy
    a.heex | <p :if={Unleash.enabled?(:x)}><%= Unleash.enabled?("y") %></p> | xy
    a.tsx | <p title="a" hidden={isEnabled('x')}>Don't {isEnabled("y")}</p> | xy
  `),
  [
    'a.vue',
    '<script setup>\nif (isEnabled("x") /* "*/) {}\n</script>\n<p v-if="isEnabled(\'y\')">',
    'xy',
  ],
  ['a.vue', '<p v-if="a &&\n  isEnabled(\'x\')">Don\'t</p><p v-else-if="isEnabled(`y`)">', 'xy'],
  ['a.astro', "---\nconst on = isEnabled('x')\n---\n<p>{isEnabled('y') && 1}</p>", 'xy'],
  ['a.jsp', '<% if (unleash.isEnabled("x")) { %><p>${unleash.isEnabled("y")}</p>', 'xy'],
])('finds the names in the markup of %s: %s', async (file, text, expected) => {
  const names = await namesIn(text, file)
  expect(names.toSorted().join('')).toBe(expected)
})
