import { Unleash } from 'unleash-client'

const client = new Unleash({ appName: 'web-shop', url: 'https://flags.example.com/api' })

export const showsNewBasket = () => client.isEnabled('checkout-new-basket')
export const isDark = () => client.isEnabled('dark-mode')
