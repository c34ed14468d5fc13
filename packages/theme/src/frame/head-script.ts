/**
 * The only script that runs before the first paint. It restores the reader's earlier choices, so
 * that the page does not visibly change: light or dark, a dismissed banner, the selected tabs.
 * Controls that need scripts are written as `hidden`; this script shows them while the page is
 * parsed.
 *
 * It is inlined: a separate file would be one more request that delays the first paint. The policy
 * in `_headers` allows exactly this text by its hash; a host that ignores `_headers` runs it
 * anyway, and if a stricter policy blocks it, `site.ts` does the same a moment later. It is
 * minified by hand, since it must be the same in all builds.
 */
export const HEAD_SCRIPT = [
  '{const d=document,e=d.documentElement,all=s=>d.querySelectorAll(s),',
  // Malformed percent-encoding also throws an error.
  'id=h=>{try{return d.getElementById(decodeURIComponent(h.slice(1)))}catch{}},',
  // If storage is disabled, reading throws, and the reader's choices are not restored.
  'get=k=>{try{return localStorage.getItem("octavo-"+k)}catch{}},',
  'look=get("theme");',
  // `usual` stores the site's default; an empty value means that the system decides.
  'if(look&&!("fixed"in d.currentScript.dataset))e.dataset.usual=e.dataset.theme||"",e.dataset.theme=look;',
  // Authors' stylesheets use this class.
  'e.classList.toggle("dark",(e.dataset.theme||(matchMedia("(prefers-color-scheme:dark)").matches?"dark":""))=="dark");',
  'e.dataset.js="";',
  'let titles=[],groups,seen=0,view,best=1e9;',
  'try{titles=JSON.parse(get("tabs"))||[]}catch{}',
  'try{groups=JSON.parse(sessionStorage.getItem("octavo-groups"))}catch{}',
  'const rank={},inputs=d.getElementsByTagName("input"),',
  'see=()=>{',
  'for(const x of all("[data-oct][hidden]"))x.hidden=!1;',
  'for(const x of all("[data-oct=banner]"))if(get("banner-"+x.dataset.key))x.remove();',
  // Restores which groups of the sidebar are open, once the sidebar is complete; see
  // browser/navigation.ts. The group of the current page stays open.
  'if(groups&&all(".oct-sidebar~*")[0]){',
  'for(const x of all(".oct-sidebar details")){const s=x.firstChild,o=groups[(s.ariaLabel??s.textContent)+" "+x.querySelector("a")?.getAttribute("href")];',
  'if(o!=null)x.open=o||!!x.querySelector("[aria-current=page]")}groups=0}',
  // In each tab group, selects the title that the reader chose most recently; see browser/tabs.ts.
  'for(;seen<inputs.length;seen++){const x=inputs[seen],i=titles.indexOf(x.value);',
  'if(i>=0&&!(rank[x.name]<=i)&&x.closest(".oct-tabs"))rank[x.name]=i,x.checked=!0}',
  // The tab with the target of the URL's fragment is selected, even if the reader chose another
  // tab.
  'for(let p=location.hash&&id(location.hash);p=p&&p.closest(".oct-tab-panel");p=p.parentNode){',
  'const x=p.previousElementSibling.previousElementSibling;rank[x.name]=-1;x.checked=!0}',
  // Shows the first view until one is chosen, and hides headings of other views in the table of
  // contents; see browser/filters.ts.
  'if(all("[data-oct=views]")[0]){',
  'for(const{dataset:{view:v}}of all(".oct-view")){const i=titles.indexOf(v);if(!view||i>=0&&i<best)view=v,best=i<0?best:i}',
  'for(const x of all(".oct-view"))x.hidden=x.dataset.view!=view;',
  'for(const x of all("[data-oct=views] button"))x.ariaPressed=x.dataset.view==view;',
  'for(const x of all(".oct-contents a"))x.parentNode.hidden=!!id(x.hash)?.closest(".oct-view[hidden]")}',
  '},m=new MutationObserver(see);',
  'm.observe(e,{childList:!0,subtree:!0});',
  'd.addEventListener("readystatechange",()=>{m.disconnect();see()},{once:!0})}',
].join('')

/**
 * The hash for `script-src` of the content security policy. A test checks that it matches the
 * script.
 */
export const HEAD_SCRIPT_HASH = 'sha256-vnm3giXAw4ZEr+FqhwXid5t2rmxtXrnu2XO/2555lm0='

/**
 * An empty script after the header. An inline script waits for the stylesheets, and the parser
 * stops meanwhile: the header is therefore painted as soon as they are loaded, instead of together
 * with the whole page.
 */
export const PAUSE_SCRIPT = '0'
export const PAUSE_SCRIPT_HASH = 'sha256-X+zrZv/IbzjZUnhsbWlsecLbwjndTpG0ZynXOif7V+k='
