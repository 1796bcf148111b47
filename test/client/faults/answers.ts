import { gzipSync } from 'node:zlib'
import { CANARY } from '../../support/flagadm.ts'
import { someUsage } from '../../support/server.ts'
import { both, type Fault, unavailable } from './fault.ts'
import { answer, floods, head, sends } from './service.ts'

const json = 'Content-Type: application/json'
const usage = JSON.stringify(someUsage)

const isIt = 'check that the address is that of the service'
const notTheService = `${isIt} and not of a proxy or a login page`

function unusable(what: string) {
  return unavailable(`http://service/… answered with ${what}`, notTheService)
}

function garbled(code: string) {
  return unavailable(`http://service: the answer is garbled (${code})`, isIt)
}

function instead(status: number): Fault {
  return {
    name: `${status}`,
    serve: sends(head(status)),
    ends: both(unusable(`${status} instead of 200`)),
  }
}

// 64 MiB on 64 KiB.
const bomb = Buffer.concat(Array.from({ length: 64 }, () => gzipSync(Buffer.alloc(1024 * 1024))))

/** Answers that claim success, and are broken or not what the specification says. */
export const answers: readonly Fault[] = [
  {
    name: '1xx, then 200',
    serve: sends(
      'HTTP/1.1 100 Continue\r\n\r\n',
      'HTTP/1.1 102 Processing\r\n\r\n',
      'HTTP/1.1 103 Early Hints\r\nLink: </login>\r\n\r\n',
      answer(200, [json], usage),
    ),
    ends: both('done'),
  },
  {
    name: 'half-closed after the body',
    serve: sends(head(200, [json]), usage),
    ends: both('done'),
  },
  {
    name: 'chunked garbage',
    serve: sends(head(200, [json, 'Transfer-Encoding: chunked']), 'garbage\r\n'),
    ends: both(garbled('HPE_INVALID_CHUNK_SIZE')),
  },
  {
    name: 'Content-Length too long',
    serve: sends(head(200, [json, `Content-Length: ${usage.length + 1}`]), usage),
    ends: both(
      unavailable(
        'http://service: the connection was closed before the answer was complete, 3 attempts',
        'check the address and that the service is up',
        3,
      ),
    ),
  },
  {
    name: 'Content-Length too short',
    serve: sends(head(200, [json, `Content-Length: ${usage.length - 1}`]), usage),
    ends: {
      'project settings set': 'done',
      'feature usage': unusable('JSON that is malformed or cut off'),
    },
  },
  {
    name: 'gzip bomb',
    // Without an end, so that only a reader who stops in time gets to report it.
    serve: floods(head(200, [json, 'Content-Encoding: gzip']), bomb),
    ends: both(unavailable('http://service: the answer is larger than 32 MiB', isIt)),
  },
  {
    name: 'nothing, said to be compressed',
    serve: sends(answer(200, [json, 'Content-Encoding: gzip'], '')),
    ends: { 'project settings set': 'done', 'feature usage': unusable('an empty body') },
  },
  {
    name: 'nothing in chunks, said to be compressed',
    serve: sends(
      head(200, [json, 'Content-Encoding: gzip', 'Transfer-Encoding: chunked']),
      '0\r\n\r\n',
    ),
    ends: { 'project settings set': 'done', 'feature usage': unusable('an empty body') },
  },
  {
    name: 'page',
    serve: sends(answer(200, ['Content-Type: text/html\u009b2J'], '<html>\u001b[2J')),
    ends: {
      'project settings set': unusable('a page instead of 200 and no body'),
      'feature usage': {
        ...unusable('text/html\\x9b2J instead of JSON'),
        json: { message: 'http://service/… answered with text/html\u009b2J instead of JSON' },
      },
    },
  },
  {
    name: 'empty body',
    serve: sends(answer(200, [json], '')),
    ends: { 'project settings set': 'done', 'feature usage': unusable('an empty body') },
  },
  {
    name: 'JSON of the wrong shape',
    serve: sends(answer(200, [json], JSON.stringify({ lastHourUsage: { '\u001b[2J': CANARY } }))),
    ends: {
      'project settings set': 'done',
      'feature usage': unusable(
        'a usage document of the wrong shape (lastHourUsage: expected Array)',
      ),
    },
  },
  instead(204),
  instead(205),
  instead(304),
]
