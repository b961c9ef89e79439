/**
 * A lesson: one section of prose with planted facts, and questions about it, each with starting memories and the memory
 * wanted after each. Question and section are shared and computed once (see `lesson-groups.ts`).
 *
 * What is taught: write the value when the section answers the question; otherwise repeat the memory unchanged, whether
 * empty, right, or about something else; let no decoy (same kind, shared name, same subject) change it.
 */
import { createDecoy, createFact, type Fact, loosen, loosenQuestion, type Random } from '@memagent/tasks'
import type { SftStage } from './config.ts'
import { drawPassage, drawWordSalad, type Prose } from './prose-passages.ts'
import { makeStrange } from './strange-prose.ts'
import { withStrangeValue } from './strange-value.ts'

export interface LessonOptions extends SftStage {
  readonly split: 'train' | 'eval'
  readonly templates: 'train' | 'held-out' | 'any'
  /** Characters of the section, facts included. */
  readonly sectionCharacters: number
  readonly emptyMemory: string
}

export type LessonCase = 'found' | 'found-again' | 'replaced' | 'nothing' | 'kept'

export interface LessonTurn {
  readonly memory: string
  /** The target response; its leading space gives it the same tokens as the text it is copied from. */
  readonly response: string
  readonly case: LessonCase
}

/** A planted statement, with the positions in the section (UTF-16 code units) where its meaning is clear. */
export interface PlantedStatement {
  /** Its end, and the end of its value if the subject comes before the value. */
  readonly ends: readonly number[]
  readonly valueStart: number
  /** Undefined if the wording does not tell. */
  readonly kind: string | undefined
}

export interface LessonQuestion {
  readonly question: string
  /** Undefined if the wording does not tell. */
  readonly kind: string | undefined
  /** The subject as the question names it (without its article). */
  readonly subject: string
  /** Index of the planted statement that answers it; undefined when none does. */
  readonly answeredBy: number | undefined
  readonly turns: readonly LessonTurn[]
}

export interface Lesson {
  readonly section: string
  readonly statements: readonly PlantedStatement[]
  readonly questions: readonly LessonQuestion[]
}

/** Weighted by how often a reader falls for them over a long text: half-shared names are the most frequent, another fact
 * about the same subject the hardest (only the question's words tell). */
const decoyStyles = [
  'same-kind',
  'shared-name',
  'shared-name',
  'shared-name',
  'same-subject-other-kind',
  'same-subject-other-kind',
  'same-subject-other-kind',
] as const

export function drawLesson(prose: Prose, random: Random, options: LessonOptions): Lesson {
  const planted: Fact[] = []
  const absent: Fact[] = []
  const askedLoosely = new Set<Fact>()
  const toldLoosely = new Set<Fact>()
  const families = random.chance(options.plainShare) ? 0 : 1 + random.int(options.families)
  const draw = { split: options.split, templates: options.templates } as const
  for (let family = 0; family < families; family++) {
    const isStrange = options.strangeValueShare > 0 && random.chance(options.strangeValueShare)
    const valued = (told: Fact) => (isStrange ? withStrangeValue(told, prose, random) : told)
    const drawn = drawFact(random, draw)
    const fact = valued(drawn)
    const present = random.next() < options.presentShare
    const isLoose = options.looseShare > 0 && random.chance(options.looseShare)
    const isAskedLoosely = options.looseShare > 0 && random.chance(options.looseShare / 2)
    const worded = (told: Fact) => {
      if (!isLoose) return told
      const loose = loosen(told, prose.words, random)
      toldLoosely.add(loose)
      return loose
    }
    const asked = present ? worded(fact) : fact
    ;(present ? planted : absent).push(asked)
    if (isAskedLoosely) askedLoosely.add(asked)
    // An absent fact always has a decoy: over a long text, readers fail by taking a decoy for the fact.
    const upTo = random.int(options.decoys + 1)
    const decoys = present ? upTo : Math.min(options.decoys, 1 + upTo)
    for (let i = 0; i < decoys; i++) {
      const wanted = random.pick(decoyStyles)
      // If the question's words do not decide, another fact about the same subject could be taken for the answer.
      const style = isAskedLoosely && wanted === 'same-subject-other-kind' ? 'shared-name' : wanted
      const decoy = valued(createDecoy(random, drawn, { templates: options.templates, style }))
      planted.push(style === 'same-subject-other-kind' ? decoy : worded(decoy))
    }
  }
  const absentAtLeast = families === 0 ? options.questions : 1
  while (absent.length < absentAtLeast) absent.push(createFact(random, draw))

  let room = options.sectionCharacters
  const kept = random.shuffle(planted).filter((fact) => {
    room -= fact.statement.length + 1
    return room >= 0
  })
  const sentences =
    random.next() < options.wordSaladShare
      ? drawWordSalad(prose, random, Math.max(room, 20))
      : drawProse(prose, random, Math.max(room, 20), options.strangeShare)
  const strays = absent
    .filter(() => random.chance(0.25))
    .map((fact) => createFact(random, { ...draw, kind: fact.kind }).value)
  const section = plant(stray(sentences, strays, random), kept, random)
  const missing = [...absent, ...planted.filter((fact) => !kept.includes(fact))]
  const phrase = (fact: Fact) => {
    const { text } = fact.question(random)
    return askedLoosely.has(fact) ? loosenQuestion(text, fact.subject, prose.words, random) : text
  }
  const statements = kept.map((fact) => {
    const from = section.indexOf(fact.statement)
    const valueEnd = from + fact.valueStart + fact.value.length
    return {
      ends: [...(isSubjectFirst(fact) ? [valueEnd] : []), from + fact.statement.length],
      valueStart: from + fact.valueStart,
      kind: toldLoosely.has(fact) ? undefined : fact.kind,
    }
  })
  const kindOf = (fact: Fact) => (askedLoosely.has(fact) ? undefined : fact.kind)
  return { section, statements, questions: ask(section, kept, missing, phrase, kindOf, random, options) }
}

function drawProse(prose: Prose, random: Random, characters: number, strangeShare: number): string[] {
  const passage = drawPassage(prose, random, characters)
  return strangeShare > 0 && random.chance(strangeShare) ? makeStrange(passage, prose, random) : passage
}

/** A value stated before its subject is harder, since the reader must look back: such statements are drawn more often. */
function drawFact(random: Random, draw: Pick<LessonOptions, 'split' | 'templates'>): Fact {
  const fact = createFact(random, draw)
  return isSubjectFirst(fact) && random.chance(0.3) ? createFact(random, draw) : fact
}

function isSubjectFirst(fact: Fact): boolean {
  const subjectAt = fact.statement.toLowerCase().indexOf(bare(fact).toLowerCase())
  return subjectAt >= 0 && subjectAt < fact.valueStart
}

/**
 * Inserts values into sentences at random, with no statement: a bare date is not the date of anything.
 */
function stray(sentences: readonly string[], values: readonly string[], random: Random): string[] {
  const result = [...sentences]
  for (const value of values) {
    const at = random.int(result.length)
    const words = result[at]!.split(' ')
    words.splice(1 + random.int(words.length), 0, value)
    result[at] = words.join(' ')
  }
  return result
}

/** Puts every statement between two sentences drawn uniformly. */
function plant(sentences: readonly string[], facts: readonly Fact[], random: Random): string {
  const places = facts.map(() => random.int(sentences.length + 1))
  let text = ''
  for (let i = 0; i <= sentences.length; i++) {
    facts.forEach((fact, n) => {
      if (places[n] !== i) return
      const gap = text === '' || /\s$/.test(text) ? '' : random.int(8) === 0 ? '\n' : ' '
      text += gap + fact.statement
    })
    const sentence = sentences[i] ?? ''
    text +=
      text !== '' && sentence !== '' && !/\s$/.test(text) && !/^\s/.test(sentence) ? ` ${sentence}` : sentence
  }
  return text
}

function ask(
  section: string,
  kept: readonly Fact[],
  missing: readonly Fact[],
  phrase: (fact: Fact) => string,
  kindOf: (fact: Fact) => string | undefined,
  random: Random,
  options: LessonOptions,
): LessonQuestion[] {
  const otherValue = (fact: Fact) => {
    const others = [...kept, ...missing].filter((other) => other !== fact && other.value !== fact.value)
    const same = others.filter((other) => other.kind === fact.kind)
    const pool = same.length > 0 && random.int(3) > 0 ? same : others
    return pool.length > 0
      ? random.pick(pool).value
      : createFact(random, { split: options.split, templates: options.templates }).value
  }
  const present = random.shuffle(kept).map((fact): LessonQuestion => {
    const response = asInText(section, fact)
    const turns: LessonTurn[] = [{ memory: options.emptyMemory, response, case: 'found' }]
    if (random.chance(0.6)) turns.push({ memory: otherValue(fact), response, case: 'replaced' })
    if (random.chance(0.3)) turns.push({ memory: fact.value, response, case: 'found-again' })
    return {
      question: phrase(fact),
      kind: kindOf(fact),
      subject: bare(fact),
      answeredBy: kept.indexOf(fact),
      turns,
    }
  })
  const gone = random.shuffle(missing).map((fact): LessonQuestion => {
    const memories = [options.emptyMemory]
    // Over a long text the memory is repeated hundreds of times for each change.
    if (random.chance(0.9)) memories.push(fact.value)
    if (random.chance(0.4)) memories.push(otherValue(fact))
    const turns = memories.map(
      (memory, i): LessonTurn => ({ memory, response: ` ${memory}`, case: i === 0 ? 'nothing' : 'kept' }),
    )
    return { question: phrase(fact), kind: kindOf(fact), subject: bare(fact), answeredBy: undefined, turns }
  })
  const questions: LessonQuestion[] = []
  while (questions.length < options.questions) {
    const [wanted, other] = random.chance(options.presentShare) ? [present, gone] : [gone, present]
    const next = wanted.pop() ?? other.pop()
    if (!next) break
    questions.push(next)
  }
  return questions
}

const bare = (fact: Fact) => fact.subject.replace(/^the /, '')

/** The value as in the text: with a leading space unless a quote or bracket precedes it. */
function asInText(section: string, fact: Fact): string {
  const valueAt = section.indexOf(fact.statement) + fact.valueStart
  return valueAt > 0 && !/\s/.test(section[valueAt - 1]!) ? fact.value : ` ${fact.value}`
}
