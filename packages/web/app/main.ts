/** The page of a server: start readings, watch them, look through their memories. */
import { mount } from 'svelte'
import App from './App.svelte'
import '../page/page.css'
import './app.css'

mount(App, { target: document.getElementById('app')! })
