/**
 * The one script that runs before anything is painted. It restores what the reader chose before, so
 * that nothing changes under the eyes: light or dark, a banner that was put away, the tabs that were
 * open. What needs script to work is written `hidden`; it appears here, while the page is read.
 *
 * It stands in the page itself: a file of its own would be one more request that holds back the
 * first paint. The policy in `_headers` allows this very text by its hash and no other; a host that
 * knows nothing of `_headers` runs it anyway, and where a stricter policy refuses it, `site.ts` does
 * the same a moment later. Written by hand, since it must be the same in all builds.
 */
export const HEAD_SCRIPT = [
  '{const d=document,e=d.documentElement,all=s=>d.querySelectorAll(s),',
  // An address that is no text throws too.
  'id=h=>{try{return d.getElementById(decodeURIComponent(h.slice(1)))}catch{}},',
  // Storage that is switched off throws; the reader then starts anew on each page.
  'get=k=>{try{return localStorage.getItem("octavo-"+k)}catch{}},',
  'look=get("theme");',
  // `usual` keeps what the site itself asks for; empty means that the system decides.
  'if(look&&!("fixed"in d.currentScript.dataset))e.dataset.usual=e.dataset.theme||"",e.dataset.theme=look;',
  // Styles of authors look for the class.
  'e.classList.toggle("dark",(e.dataset.theme||(matchMedia("(prefers-color-scheme:dark)").matches?"dark":""))=="dark");',
  'e.dataset.js="";',
  'let titles=[],groups,seen=0,view,best=1e9;',
  'try{titles=JSON.parse(get("tabs"))||[]}catch{}',
  'try{groups=JSON.parse(sessionStorage.getItem("octavo-groups"))}catch{}',
  'const rank={},inputs=d.getElementsByTagName("input"),',
  'see=()=>{',
  'for(const x of all("[data-oct][hidden]"))x.hidden=!1;',
  'for(const x of all("[data-oct=banner]"))if(get("banner-"+x.dataset.key))x.remove();',
  // Groups of the sidebar as the reader left them, once it is all there; see browser/navigation.ts.
  // The one that holds the page stays open.
  'if(groups&&all(".oct-sidebar~*")[0]){',
  'for(const x of all(".oct-sidebar details")){const s=x.firstChild,o=groups[(s.ariaLabel??s.textContent)+" "+x.querySelector("a")?.getAttribute("href")];',
  'if(o!=null)x.open=o||!!x.querySelector("[aria-current=page]")}groups=0}',
  // Of the titles that the reader chose, the latest that the group has; see browser/tabs.ts.
  'for(;seen<inputs.length;seen++){const x=inputs[seen],i=titles.indexOf(x.value);',
  'if(i>=0&&!(rank[x.name]<=i)&&x.closest(".oct-tabs"))rank[x.name]=i,x.checked=!0}',
  // What the address names is shown, whatever was chosen.
  'for(let p=location.hash&&id(location.hash);p=p&&p.closest(".oct-tab-panel");p=p.parentNode){',
  'const x=p.previousElementSibling.previousElementSibling;rank[x.name]=-1;x.checked=!0}',
  // Of views the first is shown until one is chosen, and the list of contents names no other's
  // headings; see browser/filters.ts.
  'if(all("[data-oct=views]")[0]){',
  'for(const{dataset:{view:v}}of all(".oct-view")){const i=titles.indexOf(v);if(!view||i>=0&&i<best)view=v,best=i<0?best:i}',
  'for(const x of all(".oct-view"))x.hidden=x.dataset.view!=view;',
  'for(const x of all("[data-oct=views] button"))x.ariaPressed=x.dataset.view==view;',
  'for(const x of all(".oct-contents a"))x.parentNode.hidden=!!id(x.hash)?.closest(".oct-view[hidden]")}',
  '},m=new MutationObserver(see);',
  'm.observe(e,{childList:!0,subtree:!0});',
  'd.addEventListener("readystatechange",()=>{m.disconnect();see()},{once:!0})}',
].join('')

/** For `script-src` of the content security policy. A test holds it to the text above. */
export const HEAD_SCRIPT_HASH = 'sha256-vnm3giXAw4ZEr+FqhwXid5t2rmxtXrnu2XO/2555lm0='

/**
 * Stands after the header and does nothing. A script in the page waits for the stylesheets, and
 * meanwhile the browser reads no further: so the header is painted as soon as they are there, instead
 * of together with the whole page.
 */
export const PAUSE_SCRIPT = '0'
export const PAUSE_SCRIPT_HASH = 'sha256-X+zrZv/IbzjZUnhsbWlsecLbwjndTpG0ZynXOif7V+k='
