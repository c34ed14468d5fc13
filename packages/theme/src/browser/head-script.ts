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
  '{const d=document,e=d.documentElement,',
  // Storage that is switched off throws; the reader then starts anew on each page.
  'get=k=>{try{return localStorage.getItem("octavo-"+k)}catch{}},',
  'look=get("theme");',
  // `usual` keeps what the site itself asks for; empty means that the system decides.
  'if(look&&!("fixed"in d.currentScript.dataset))e.dataset.usual=e.dataset.theme||"",e.dataset.theme=look;',
  'e.dataset.js="";',
  'let titles=[],seen=0,view,best=1e9,target;',
  'try{titles=JSON.parse(get("tabs"))||[];target=decodeURIComponent(location.hash.slice(1))}catch{}',
  'const rank={},inputs=d.getElementsByTagName("input"),',
  'see=()=>{',
  'for(const x of d.querySelectorAll("[data-oct][hidden]"))x.hidden=!1;',
  'const b=d.querySelector("[data-oct=banner]");',
  'if(b&&get("banner-"+b.dataset.key))b.remove();',
  // Of the titles that the reader chose, the latest that the group has; see browser/tabs.ts.
  'for(;seen<inputs.length;seen++){const x=inputs[seen],i=titles.indexOf(x.value);',
  'if(i>=0&&!(rank[x.name]<=i)&&x.closest(".oct-tabs"))rank[x.name]=i,x.checked=!0}',
  // The same for views, of which the first is shown until one is chosen; see browser/filters.ts.
  'const views=d.querySelectorAll(".oct-view");',
  'for(const{dataset:{view:v}}of views){const i=titles.indexOf(v);if(!view||i>=0&&i<best)view=v,best=i<0?best:i}',
  'if(d.querySelector("[data-oct=views]"))for(const x of views)x.toggleAttribute("hidden",x.dataset.view!=view);',
  // What the address names is shown, whatever was chosen.
  'for(let p=target&&d.getElementById(target);p=p&&p.closest(".oct-tab-panel");p=p.parentNode){',
  'const x=p.previousElementSibling.previousElementSibling;rank[x.name]=-1;x.checked=!0}',
  '},m=new MutationObserver(see);',
  'm.observe(e,{childList:!0,subtree:!0});',
  'd.addEventListener("readystatechange",()=>{m.disconnect();see()},{once:!0})}',
].join('')

/** For `script-src` of the content security policy. A test holds it to the text above. */
export const HEAD_SCRIPT_HASH = 'sha256-T86eMX2/+16uKoEYT8jkXRmY2TlOsUzvBN5qpMT2nWs='
