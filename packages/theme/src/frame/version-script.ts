/**
 * Runs in the head of each page of a site in which several versions list the same page. The page then
 * carries what stands around it in each of them, in templates before the parts that they replace. This
 * puts those of the reader's version in their place while the page is read, before anything is
 * painted, and remembers the version that is shown for as long as the browser tab is open.
 */
export const VERSION_SCRIPT = [
  '{const d=document,e=d.documentElement,key="octavo-version";',
  'let chosen,shown=d.currentScript.dataset.version;',
  // Storage that is switched off throws; then a page is shown in the version that its address opens.
  'try{chosen=sessionStorage.getItem(key)}catch{}',
  'const keep=v=>{try{sessionStorage.setItem(key,v)}catch{}},',
  'see=()=>{for(const t of d.querySelectorAll("template[data-version]")){',
  'if(t.dataset.version!=chosen)continue;',
  'let x=t;',
  'if("adds"in t.dataset)t.after(t.content);else{',
  'do x=x.nextElementSibling;while(x&&x.matches("template[data-version]"));',
  // The part that it replaces is not read yet.
  'if(!x)continue;x.replaceWith(t.content)}',
  // It stays where it is, so that `octavo dev` knows the page again when a file is saved.
  't.dataset.version="";shown=chosen;',
  'e.classList.toggle("oct-has-tabs",!!d.querySelector(".oct-tabbar"))}},',
  'm=new MutationObserver(see);',
  'm.observe(e,{childList:!0,subtree:!0});',
  'd.addEventListener("readystatechange",()=>{m.disconnect();see()},{once:!0});',
  // Also when the reader comes back to a page that the browser has kept.
  'addEventListener("pageshow",()=>shown&&keep(shown));',
  // A version that lists this page shows it. Without script the link leads to the nearest other page.
  'd.addEventListener("click",x=>{const a=x.target.closest?.("a[data-version]");',
  'if(!a||x.ctrlKey||x.metaKey||x.shiftKey||x.altKey)return;',
  'x.preventDefault();keep(a.dataset.version);location.reload()})}',
].join('')

/** For `script-src` of the content security policy. A test holds it to the text above. */
export const VERSION_SCRIPT_HASH = 'sha256-wC/5kpEvIDZrn3E8jOkzG1QAfbBvuZY+R/W3RXp9cKg='
