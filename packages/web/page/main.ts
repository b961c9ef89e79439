/** Shows the run embedded in the page. */
import { mount } from 'svelte'
import { openPage, type PackedPage } from '../src/packed-page.ts'
import RunView from './RunView.svelte'
import './page.css'

const page: PackedPage = JSON.parse(document.getElementById('run')!.textContent!)
mount(RunView, { target: document.getElementById('page')!, props: { page: openPage(page) } })
