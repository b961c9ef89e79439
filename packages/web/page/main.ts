/** Shows the run that stands in the page. */
import { mount } from 'svelte'
import type { RunPage } from '../src/run-page.ts'
import RunView from './RunView.svelte'
import './page.css'

const page: RunPage = JSON.parse(document.getElementById('run')!.textContent!)
mount(RunView, { target: document.getElementById('page')!, props: { page } })
