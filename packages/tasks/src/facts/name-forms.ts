/** Forms of names for each class of subject: `data/facts/names.yaml`. */
import { z } from 'zod'
import { lazy, loadData } from '../data/load-data.ts'
import { type Pattern, patterns } from './patterns.ts'

const people = ['person', 'firm', 'project', 'event'] as const
const things = ['ship', 'service', 'machine', 'work', 'dish', 'order', 'keepsake', 'key'] as const
export const subjectClasses = ['town', 'building', ...people, ...things] as const

/** What a fact can be about. */
export type SubjectClass = (typeof subjectClasses)[number]

const forms = lazy(() => loadData('facts/names.yaml', z.record(z.enum(subjectClasses), patterns)))

export const nameForms = (subjectClass: SubjectClass): readonly Pattern[] => forms()[subjectClass]
