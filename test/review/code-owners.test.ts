import { describe, expect, it, test } from 'vitest'
import { branchOf, worldIn } from '../support/branch.ts'
import { repositoryIn } from '../support/flagadm.ts'
import { ada, ownerOf, token } from './owner.ts'

describe('with --scan, the owner of a flag of a token', () => {
  /** @param files in the repository, besides the code */
  const scanned = async (files: Record<string, string>, createdBy = token) => {
    const all = { 'src/shop/cart.ts': "unleash.isEnabled('flag')\n", ...files }
    const inWork = Object.entries(all).map(([path, text]) => [`work/${path}`, text] as const)
    const world = { files: { ...repositoryIn('work'), ...Object.fromEntries(inWork) } }
    return (await ownerOf({ createdBy }, world, {}, ['--scan', '.'])).owner
  }

  test.each<[string, string, string | null]>([
    ['all', '* @shop/all', '@shop/all'],
    ['the last line', '* @shop/all\n/src/shop/ @shop/cart @ada # comment', '@shop/cart @ada'],
    ['a folder anywhere', 'shop @shop/cart', '@shop/cart'],
    ['a kind of file', '*.ts @shop/ts\n*.js @shop/js', '@shop/ts'],
    ['the files of a folder', '/src/* @shop/src', null],
    ['all below a folder', 'src/** @shop/src', '@shop/src'],
    ['another folder', '/lib/ @shop/lib', null],
    ['a line without an owner', '* @shop/all\n/src/shop/cart.ts', null],
    ['comments and sections', '# * @no\n[Shop]\n* @shop/all\n^[Other]', '@shop/all'],
    ['braces, which are text', '*.{ts,js} @no\n', null],
    ['a pattern that takes long', '* @shop/all\n*c*a*r*t*s @no', '@shop/all'],
    ['a name of a folder above', '/src/sho @no\nsho @no\ncart @no', null],
    ['a file', '/src/shop/cart.ts @shop/file', '@shop/file'],
    ['too many lines with wildcards', `* @no\n${'/a/* @no\n'.repeat(5_000)}`, null],
    ['a large file without wildcards', `src @src\n${'/a/b @no\n'.repeat(50_000)}`, '@src'],
    ['too many spans', '* @shop/all\n**/**/**/**/cart.ts @no', '@shop/all'],
  ])('is by CODEOWNERS: %s', async (_, owners, owner) => {
    expect(await scanned({ CODEOWNERS: owners })).toBe(owner)
  })

  it('is by the first file that there is', async () => {
    expect(await scanned({ '.github/CODEOWNERS': '* @here' })).toBe('@here')
    expect(await scanned({ 'docs/CODEOWNERS': '* @here' })).toBe('@here')
  })

  it('is not by a folder of that name', async () => {
    const files = { 'docs/CODEOWNERS': '* @here', 'CODEOWNERS/a': '* @no' }
    expect(await scanned(files)).toBe('@here')
  })

  it('is by where it was, if it was removed', async () => {
    const files = { 'src/cart.ts': "unleash.isEnabled('flag')\n", 'src/a.ts': '' }
    const root = await branchOf(
      { ...files, CODEOWNERS: '/src/cart.ts @cart' },
      { 'src/cart.ts': '' },
    )
    const argv = ['--scan', 'src', '--removed-since', 'main']
    expect((await ownerOf({ createdBy: token }, worldIn(root), {}, argv)).owner).toBe('@cart')
  })

  it('is a person, if there is one', async () => {
    expect(await scanned({ CODEOWNERS: '* @shop/all' }, ada)).toBe('ada@shop.example')
  })
})
